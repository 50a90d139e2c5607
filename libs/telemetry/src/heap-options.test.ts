import { applyHeapOptions, setHeapOptionsAside } from './heap-options.ts';

test('options of the heap have their defaults until the process has started', () => {
  const flags: string[] = [];
  const setFlag = (flag: string) => void flags.push(flag);
  setHeapOptionsAside(
    ['--expose-gc', '--max-semi-space-size=1', '--heap-growing-percent=20', '--optimize-for-size', '--import', 'x'],
    setFlag,
  );
  expect(flags).toEqual(['--no-expose-gc', '--heap-growing-percent=0', '--no-optimize-for-size']);
  flags.length = 0;
  applyHeapOptions(setFlag);
  expect(flags).toEqual([
    '--no-allocation-site-pretenuring',
    '--expose-gc',
    '--heap-growing-percent=20',
    '--optimize-for-size',
  ]);
  flags.length = 0;
  applyHeapOptions(setFlag);
  expect(flags).toEqual(['--no-allocation-site-pretenuring']);
});

test('a process without such options keeps those that it has, and creates the objects of requests in the young generation', () => {
  const flags: string[] = [];
  const setFlag = (flag: string) => void flags.push(flag);
  setHeapOptionsAside(['--max-semi-space-size=32', '--heap-growing'], setFlag);
  applyHeapOptions(setFlag);
  expect(flags).toEqual(['--no-allocation-site-pretenuring']);
});
