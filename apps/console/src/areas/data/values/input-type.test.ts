import { inputOfMoment, inputTypeOf, stepOf } from './input-type.ts';

test.each([
  ['localDate', '', 'date'],
  ['localDate', '2026-01-31', 'date'],
  ['date', '12026-01-01', 'date'],
  ['localDate', 'infinity', 'text'],
  ['date', '0044-03-15 BC', 'text'],
  ['dateTime', '2026-01-31T10:00:00.123', 'datetime-local'],
  ['localDateTime', '2026-01-31T10:00:00.123456', 'text'],
  ['localDateTime', '-infinity', 'text'],
  ['localDateTime', '0044-03-15T10:00:00.000 BC', 'text'],
  ['localTime', '10:00:00', 'time'],
  ['string', '2026-01-31', 'text'],
])('an input of %s with the value "%s" is a %s, which shows it', (datatype, value, expected) => {
  expect(inputTypeOf(datatype, value)).toBe(expected);
});

test.each(['infinity', '0044-03-15T10:00:00.000Z BC', '12026-01-01T00:00:00.000Z'])(
  'the moment %s, which has no local time, is entered as a text',
  (moment) => {
    const { type, value, momentOf } = inputOfMoment(moment);
    expect([type, value, momentOf('-infinity')]).toEqual(['text', moment, '-infinity']);
  },
);

test.each(['2', '2026-1', 'infinity 1'])('a moment of which only "%s" is entered stays a text', (entered) => {
  expect(inputOfMoment(entered)).toMatchObject({ type: 'text', value: entered });
});

test('other moments are entered in the zone of the user', () => {
  const { type, value, momentOf } = inputOfMoment('2026-01-31T10:00:00.000Z');
  expect([type, momentOf(value)]).toEqual(['datetime-local', '2026-01-31T10:00:00.000Z']);
  expect(inputOfMoment('')).toMatchObject({ type: 'datetime-local', value: '' });
});

test.each([
  ['', '60'],
  ['2026-11-30T10:20', '60'],
  ['2026-11-30T10:20:00.000', '60'],
  ['10:20:00', '60'],
  ['2026-11-30T10:20:05.000', '1'],
  ['10:20:00.120', '0.001'],
])('the time %s is entered in steps of %s s', (value, step) => expect(stepOf(value)).toBe(step));
