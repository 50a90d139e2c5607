import { countedName } from './counted-name.ts';

test.each([
  'Grace Hopper',
  'gRACE hOPPER',
  '  grace \t hopper ',
  'grace\u00a0hopper',
  'gra\u00adce\u200b hop\u0000per',
  'ｇｒａｃｅ hopper',
  'gráce hòpper',
])('%j is counted with the other spellings of the name', (spelling) => {
  expect(countedName(spelling)).toBe('grace hopper');
});

test('letters that upper case changes to several are one name with these', () => {
  expect(countedName('Straße')).toBe(countedName('STRASSE'));
});

test('other names are counted apart', () => {
  expect(new Set(['grace', 'grace.hopper', 'gracehopper', 'grace hopper'].map(countedName)).size).toBe(4);
});
