import { PARALLEL } from '../../../../../test/page/diagrams-of-tests.ts';
import { BOX, layoutDiagram } from '../layout-diagram.ts';
import { portsOf } from './ports-of.ts';

test('relations between the same entities begin and end side by side, and do not cross', () => {
  const layout = layoutDiagram(PARALLEL);
  const ports = portsOf(PARALLEL.edges, layout, []);
  const starts = ports.slice(0, 7).map((port) => port?.start ?? Number.NaN);
  const ends = ports.slice(0, 7).map((port) => port?.end ?? Number.NaN);
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  expect(new Set(starts).size).toBe(7);
  const { x } = layout.nodes.get('Contract') ?? { x: Number.NaN };
  expect(starts.every((start) => start > x && start < x + BOX.width)).toBe(true);
  // Both boxes are below each other.
  expect(ends).toEqual(starts);
  expect(ports.slice(7)).toEqual([undefined, undefined, undefined]);
});
