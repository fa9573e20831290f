const words = JSON.parse(document.body.dataset.words ?? "{}");

/** The page's own words for what a script says: the English sentence is the key, and what stands where there is no other. */
export function localized(english, ...parts) {
  let next = 0;
  return (words[english] ?? english).replace(/%(?:(\d+)\$)?@/g, (_, place) => String(parts[place ? place - 1 : next++] ?? ""));
}
