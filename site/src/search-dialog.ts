/** A plugin of Vite, as far as this is one. */
interface TransformPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  transform(code: string, id: string): string | undefined;
}

const COMPONENT = 'VPLocalSearchBox.vue';
/** What VitePress 1.6 writes, and what it should be; an `option` must not contain a link, and `kbd` has no label. */
const CORRECTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"/, ''],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="[^"]*"\s+role="option"/, ''],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  [/<kbd :aria-label/g, '<kbd role="img" :aria-label'],
];

/**
 * The search of VitePress 1.6 is a button with a field and links in it, which screen readers do not enter. It becomes a
 * dialog with a list of links.
 *
 * @throws Error where another version of VitePress has another component: then remove this, or adapt it
 */
export const searchDialog = (): TransformPlugin => ({
  name: 'lintel:search-dialog',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(COMPONENT)) return undefined;
    return CORRECTIONS.reduce((corrected, [form, replacement]) => {
      if (corrected.search(form) < 0) throw new Error(`${COMPONENT} of this version of VitePress has no ${form}.`);
      return corrected.replace(form, replacement);
    }, code);
  },
});
