const words = JSON.parse(document.body.dataset.words ?? "{}");

/** Returns the page's translation of a text. The English text is the key and the fallback. */
export function localized(english, ...parts) {
  let next = 0;
  return (words[english] ?? english).replace(/%(?:(\d+)\$)?@/g, (_, place) => String(parts[place ? place - 1 : next++] ?? ""));
}
