import { bandContextOf } from './band-context-of.ts';
import type { RunInput, RunPorts } from './run-input.ts';

test('more rows than the limit are refused, which is named', () => {
  const input = { report: { definition: {} } } as RunInput;
  const ports = { limits: {} } as RunPorts;
  const { countRow } = bandContextOf({ parameters: {}, data: {} as never }, input, ports, {
    max: 2,
    name: 'the limit of previews',
  });
  countRow?.();
  countRow?.();
  expect(() => countRow?.()).toThrow('The report has more than 2 rows (the limit of previews)');
});
