import { violationsOf } from '../violations-of.ts';

describe('errors have owners', () => {
  const file = 'services/data/src/a.ts';
  test.each([
    ['source.pipe(target);', 'calls pipe(), which passes no errors on'],
    ['request?.pipe(target, {});', 'calls pipe(), which passes no errors on'],
    ['const pieces = new PassThrough();', 'makes a PassThrough, which has no listener until it is read'],
    ['setInterval(async () => {}, 1);', 'passes an async function to setInterval()'],
    ['setTimeout(async function () {});', 'passes an async function to setTimeout()'],
    ['process.nextTick(async () => {});', 'passes an async function to nextTick()'],
    ["emitter.on('data', async () => {});", 'passes an async function to on()'],
    ["server.once('close', async () => {});", 'passes an async function to once()'],
  ])('%s is refused', (text, what) => {
    expect(violationsOf('errors-have-owners', { [file]: `\n${text}` })).toEqual([`${file}:2 ${what}`]);
  });

  test.each([
    'await pipeline(source, target);',
    'observable.pipe();',
    'setInterval(() => void look().catch(report), 1);',
    "emitter.on('data', (chunk) => {});",
    "router.get('/', async (request, response) => {});",
  ])('%s is not', (text) => {
    expect(violationsOf('errors-have-owners', { [file]: text })).toEqual([]);
  });

  test('tests and tools may do so', () => {
    const text = 'source.pipe(target);';
    const sources = {
      'services/data/src/a.test.ts': text,
      'libs/testkit/src/a.ts': text,
      'tools/reference/src/a.ts': text,
    };
    expect(violationsOf('errors-have-owners', sources)).toEqual([]);
  });
});
