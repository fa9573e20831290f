// The region stands before anything is said in it: screen readers hear only what is added to it.
const region = document.createElement("div");
region.className = "toasts";
region.setAttribute("aria-live", "polite");
document.body.append(region);

const secondsShown = 6;

/** Says that something is done, and goes away by itself. */
export function tell(message) {
  for (const earlier of region.querySelectorAll(".toast:not(.failure)")) earlier.remove();
  const toast = show(message);
  setTimeout(() => toast.remove(), secondsShown * 1000);
}

/** Says that something failed, and stays until it is dismissed. */
export function warn(message) {
  const toast = show(message);
  toast.classList.add("failure");
  toast.setAttribute("role", "alert");
  const dismiss = document.createElement("button");
  dismiss.type = "button";
  dismiss.className = "button";
  dismiss.textContent = "Dismiss";
  dismiss.addEventListener("click", () => toast.remove());
  toast.append(dismiss);
}

function show(message) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const text = document.createElement("span");
  text.dir = "auto";
  text.textContent = message;
  toast.append(text);
  region.append(toast);
  return toast;
}
