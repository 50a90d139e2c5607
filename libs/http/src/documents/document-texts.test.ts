import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { documentTexts } from './document-texts.ts';

/** Texts that a parser of YAML 1.1 or 1.2 reads as another type where they are not quoted. */
const TRAPS = [
  '=',
  '<<',
  '<',
  '~',
  '',
  ' ',
  'null',
  'Null',
  'true',
  'False',
  'yes',
  'No',
  'on',
  'OFF',
  'y',
  'N',
  'Y',
  'n',
]
  .concat(['1:30', '190:20:30', '-1:30', '1:30.5', '2001-01-01', '2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43'])
  .concat(['0777', '0o777', '0x1F', '0b11', '1_000', '+1', '.5', '5.', '1e3', '.inf', '-.INF', '.nan', '123', '1.0'])
  .concat(['- a', '? a', ': a', 'a: b', 'a #b', '#a', '&a', '*a', '!a', '%a', '@a', '`a', '|', '>', '"a"', "'a'"])
  .concat([
    '---',
    '...',
    '--- a',
    '[a',
    '{a',
    ']',
    '}',
    ',',
    'a\nb',
    'a\n\n',
    '\ta',
    'a\u0085b',
    'a\u2028b',
    '\u0000',
    'ä',
  ]);

const document = {
  enum: TRAPS,
  keys: Object.fromEntries(TRAPS.map((text) => [text, text])),
  others: [1, -1.5, 1e300, true, false, null, [], {}],
  components: {
    schemas: { ...Object.fromEntries(TRAPS.map((text) => [text, { [text]: [text], deep: { text } }])), none: {} },
    on: { off: {} },
    'a b': { c: 'a\n\n  b\n' },
    empty: {},
    absent: undefined,
    list: [{ a: 'a\n\nb' }],
  },
  nested: TRAPS.map((text) => ({ value: text, list: [text] })),
};

const texts = documentTexts(() => document);

test.each(['1.1', '1.2'] as const)('a reader of YAML %s finds the document that JSON has', async (version) => {
  expect(parse((await texts.yaml()).text, { version })).toEqual(JSON.parse(texts.json().text));
});

test('the values of YAML 1.1 that its readers need not know are quoted, other words are not', async () => {
  const { text: written } = await documentTexts(() => ({
    enum: ['=', '<<', 'contains'],
    '=': 1,
    type: 'string',
  })).yaml();
  expect(written).toBe('---\nenum:\n  - "="\n  - "<<"\n  - contains\n"=": 1\ntype: string\n');
});

test('other work goes on while a large document is written, which is done once', async () => {
  const schema = { type: 'object', properties: Object.fromEntries(TRAPS.map((text) => [text, { type: 'string' }])) };
  const large = documentTexts(() => ({
    components: { schemas: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`S${at}`, schema])) },
  }));
  let rounds = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; rounds += 1) await setImmediate();
  })();
  const [one, other] = await Promise.all([large.yaml(), large.yaml()]);
  isDone = true;
  await counting;
  expect(rounds).toBeGreaterThan(3);
  expect(one).toBe(other);
});

test('what a document is made of is released with its first text', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const source = { model: new WeakRef<object>({}), texts };
  const begin = (): void => {
    const model = { title: 'x'.repeat(10) };
    source.model = new WeakRef(model);
    source.texts = documentTexts(() => ({ ...model }));
  };
  begin();
  await setImmediate();
  collect();
  expect(source.model.deref()).toBeDefined();
  expect(source.texts.json().text).toBe('{"title":"xxxxxxxxxx"}');
  await setImmediate();
  collect();
  expect(source.model.deref()).toBeUndefined();
  expect((await source.texts.yaml()).text).toContain('title: xxxxxxxxxx');
});
