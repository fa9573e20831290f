// The browser draws one page into the next, and gives that up where somebody goes on before a slow page has appeared. The page is
// there all the same, so what it then rejects is no error.
export function watchTransitions() {
  const forgive = (transition) => {
    if (!transition) return;
    for (const promise of [transition.ready, transition.updateCallbackDone, transition.finished]) promise?.catch(() => {});
  };
  // The page may be shown before this file has arrived.
  forgive(document.activeViewTransition);
  addEventListener("pagereveal", (event) => forgive(event.viewTransition));
  addEventListener("pageswap", (event) => forgive(event.viewTransition));
}
