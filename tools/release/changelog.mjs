const UNRELEASED = '## Unreleased';

/**
 * The changelog with what is unreleased as a version, below an empty section for the next one.
 *
 * @param {string} text
 * @param {string} version
 * @param {string} date `2026-11-25`
 * @throws {Error} if the version is in it already, or nothing is unreleased
 */
export function closeUnreleased(text, version, date) {
  if (text.includes(`\n## ${version} `)) throw new Error(`The changelog has a section for ${version} already`);
  const notes = sectionOf(text, UNRELEASED);
  if (notes === undefined || notes === '') throw new Error(`The changelog has nothing below "${UNRELEASED}"`);
  return text.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} (${date})`);
}

/**
 * What the changelog says about a version.
 *
 * @param {string} text
 * @param {string} version
 * @throws {Error} if it says nothing
 */
export function notesOf(text, version) {
  const title = text.split('\n').find((line) => line.startsWith(`## ${version} (`));
  const notes = title === undefined ? undefined : sectionOf(text, title);
  if (notes === undefined || notes === '') throw new Error(`The changelog has no section for ${version}`);
  return notes;
}

/** The text between a title of the second level and the next one. */
function sectionOf(text, title) {
  const [, after] = text.split(`\n${title}\n`);
  return after?.split(/\n## /)[0]?.trim();
}
