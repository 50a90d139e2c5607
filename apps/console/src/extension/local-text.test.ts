import { localText } from './local-text.ts';

test.each([
  ['Stock', 'de', 'Stock'],
  [{ en: 'Stock', de: 'Bestand' }, 'de', 'Bestand'],
  [{ en: 'Stock', de: 'Bestand' }, 'de-AT', 'Bestand'],
  [{ en: 'Stock', 'de-AT': 'Lager', de: 'Bestand' }, 'de-AT', 'Lager'],
  [{ en: 'Stock' }, 'fr', 'Stock'],
])('of %j the page in %s shows %s', (text, locale, shown) => {
  expect(localText(text, locale)).toBe(shown);
});
