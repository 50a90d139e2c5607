import { shownSettings } from './shown-settings.ts';

const PORT = { name: 'svc.data.port', value: '7002', secret: false, origin: '/etc/lintel.yml:3' };
const PATH = { name: 'svc.rest.base-path', value: '/rest', secret: false, origin: 'default' };

test.each([
  ['nothing', '', false, [PORT, PATH]],
  ['words of name, value and origin', 'DATA 7002 etc', false, [PORT]],
  ['a word that none has', 'data rest', false, []],
  ['changed ones only', '', true, [PORT]],
])('a search for %s', (_title, words, isChangedOnly, expected) =>
  expect(shownSettings([PORT, PATH], words, isChangedOnly)).toEqual(expected),
);
