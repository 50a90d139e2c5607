import { cases, fc } from '@lintel/testkit/properties';
import { compareDecimals, fromInputNumber, isDecimal, toInputNumber } from './decimals.ts';
import { formatNumber } from './format-value.ts';

const DIGITS = fc.stringMatching(/^(0|[1-9]\d{0,29})$/);
const DECIMAL = fc
  .tuple(fc.constantFrom('', '-'), DIGITS, fc.option(fc.stringMatching(/^\d{1,12}$/), { nil: undefined }))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}`);
const LOCALE = fc.constantFrom('en', 'de', 'fr', 'de-CH', 'es', 'pl', 'sv', 'ar', 'hi', 'zh-CN');

test('a number that a field shows is the number that is sent, with all its digits but a fraction of zeros', () => {
  fc.assert(
    fc.property(DECIMAL, LOCALE, (value, locale) => {
      expect(fromInputNumber(toInputNumber(value, locale), locale)).toBe(value.replace(/\.0+$/, ''));
    }),
    cases(300),
  );
});

test('a number that a list shows can be entered as it is shown', () => {
  const written = fc.constantFrom('en', 'de', 'fr', 'de-CH', 'es', 'pl', 'sv', 'zh-CN');
  fc.assert(
    fc.property(DECIMAL, written, (value, locale) => {
      const shown = formatNumber(value, locale);
      expect([shown, fromInputNumber(shown, locale)]).toEqual([shown, value]);
    }),
    cases(300),
  );
});

test('every input becomes a decimal, or stays as it was entered', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+\d., ']{1,12}$/)), LOCALE, (text, locale) => {
      const sent = fromInputNumber(text, locale);
      if (sent !== '') expect(isDecimal(sent) || sent === text.trim()).toBe(true);
    }),
    cases(300),
  );
});

test('decimals have an order: by value, however they are written', () => {
  fc.assert(
    fc.property(DECIMAL, DECIMAL, fc.nat({ max: 5 }), (one, other, zeros) => {
      const longer = `${one.includes('.') ? one : `${one}.`}${'0'.repeat(zeros)}`;
      expect(compareDecimals(one, longer)).toBe(0);
      expect(compareDecimals(one, other) + compareDecimals(other, one)).toBe(0);
      const [first, second] = [Number(one), Number(other)];
      if (first !== second) expect(compareDecimals(one, other)).toBe(first < second ? -1 : 1);
    }),
    cases(300),
  );
});
