import { localizedTexts } from './load-dynamic-attributes.ts';

test('each line gives the text of one locale', () => {
  expect(localizedTexts('de=Nummer\r\n zh_CN/name = 号码 \n\n# a comment\nfr=\npt-BR=Número=1')).toEqual({
    de: 'Nummer',
    zh_CN: '号码',
    pt_BR: 'Número=1',
  });
  expect(localizedTexts(null)).toEqual({});
});
