import { readFileSync } from 'node:fs';
import { closeUnreleased, notesOf } from './changelog.mjs';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n';

test('what is unreleased becomes a version, and its notes are found', () => {
  const closed = closeUnreleased(CHANGELOG, '0.2.0', '2026-02-03');
  expect(closed).toContain('## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Added');
  expect(notesOf(closed, '0.2.0')).toBe('### Added\n\n- A thing.');
  expect(notesOf(closed, '0.1.0')).toBe('- The first.');
});

test('a version that exists, or one without changes, is refused', () => {
  expect(() => closeUnreleased(CHANGELOG, '0.1.0', '2026-02-03')).toThrow('has a section for 0.1.0 already');
  expect(() => closeUnreleased('# Changelog\n\n## Unreleased\n', '0.2.0', '2026-02-03')).toThrow('has nothing below');
  expect(() => notesOf(CHANGELOG, '0.3.0')).toThrow('has no section for 0.3.0');
});

test('the changelog of the repository can be closed', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  expect(notesOf(closeUnreleased(text, '999.0.0', '2026-02-03'), '999.0.0').length).toBeGreaterThan(100);
});

test('before the first version the changelog has additions only', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const isReleased = /^## \d/m.test(text);
  const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, title]) => title);
  expect(isReleased ? [] : sections.filter((title) => title !== 'Added')).toEqual([]);
});
