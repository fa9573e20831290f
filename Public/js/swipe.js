const reveal = 96;
const slack = 8;
const flick = 0.4;
const longSwipe = 0.6;
const wheelPause = 120;

/** Moves rows with the finger to reveal Delete. A long swipe deletes the record immediately. */
export function watchSwipes(list) {
  const towards = getComputedStyle(list).direction === "rtl" ? 1 : -1;
  const frame = list.querySelector(".frame");
  let open = null;
  let drag = null;
  let wheel = null;
  let isClickSpent = false;

  function move(row, distance) {
    row.classList.add("swiped");
    row.classList.remove("settling");
    place(row, Math.max(0, distance));
  }

  function place(row, distance) {
    row.style.setProperty("--swipe", `${towards * distance}px`);
    row.style.setProperty("--reveal", `${distance}px`);
  }

  function settle(row, distance) {
    row.classList.add("settling");
    place(row, distance);
    if (distance > 0) open = row;
    else {
      if (open === row) open = null;
      setTimeout(() => {
        if (row !== open && row !== drag?.row) row.classList.remove("swiped", "settling");
      }, 180);
    }
  }

  function close() {
    if (open) settle(open, 0);
  }

  list.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("tbody tr");
    if (open && open !== row) close();
    if (!row || event.pointerType === "mouse" || !event.isPrimary) return;
    drag = { row, x: event.clientX, y: event.clientY, start: row === open ? reveal : 0, distance: 0, speed: 0, at: event.timeStamp, isMoving: false };
  });

  list.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [(event.clientX - drag.x) * towards, event.clientY - drag.y];
    if (!drag.isMoving) {
      if (Math.abs(x) < slack && Math.abs(y) < slack) return;
      if (Math.abs(y) > Math.abs(x)) return (drag = null);
      drag.isMoving = true;
      drag.row.setPointerCapture(event.pointerId);
    }
    const distance = drag.start + x;
    drag.speed = (distance - drag.distance) / Math.max(1, event.timeStamp - drag.at);
    [drag.distance, drag.at] = [distance, event.timeStamp];
    move(drag.row, distance);
  });

  // Otherwise the browser treats the swipe as a fling, and ignores a tap on Delete shortly after as the end of the fling.
  list.addEventListener("touchmove", (event) => {
    if (drag?.isMoving && event.cancelable) event.preventDefault();
  }, { passive: false });

  list.addEventListener("pointerup", () => {
    const ended = drag;
    drag = null;
    if (!ended?.isMoving) return;
    const width = ended.row.offsetWidth;
    if (ended.distance > width * longSwipe) {
      ended.row.classList.add("settling");
      place(ended.row, width);
      ended.row.querySelector("[data-delete]").click();
    } else {
      isClickSpent = true;
      setTimeout(() => (isClickSpent = false), 50);
      const isOpening = ended.speed > flick || (ended.speed > -flick && ended.distance > reveal / 2);
      settle(ended.row, isOpening ? reveal : 0);
    }
  });

  list.addEventListener("pointercancel", () => {
    if (drag?.isMoving) settle(drag.row, drag.start);
    drag = null;
  });

  // A gesture that moves or closes a row must not also follow a link.
  list.addEventListener("click", (event) => {
    const isOnOpenRow = open?.contains(event.target);
    if (isOnOpenRow && event.target.closest("[data-delete]")) return (open = null);
    if (!isClickSpent && !isOnOpenRow) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isClickSpent) close();
    isClickSpent = false;
  }, { capture: true });

  // A trackpad only reveals Delete, because its momentum continues after the fingers have left it.
  list.addEventListener("wheel", (event) => {
    const row = event.target.closest("tbody tr");
    if (!row || Math.abs(event.deltaX) <= Math.abs(event.deltaY) || frame.scrollWidth > frame.clientWidth + 1) return;
    event.preventDefault();
    if (open && open !== row) close();
    if (wheel?.row !== row) wheel = { row, distance: row === open ? reveal : 0 };
    wheel.distance = Math.min(reveal, Math.max(0, wheel.distance - towards * event.deltaX));
    move(row, wheel.distance);
    clearTimeout(wheel.timer);
    const ended = wheel;
    wheel.timer = setTimeout(() => {
      if (wheel === ended) wheel = null;
      settle(row, ended.distance > reveal / 2 ? reveal : 0);
    }, wheelPause);
  }, { passive: false });

  document.addEventListener("pointerdown", (event) => {
    if (!list.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
}
