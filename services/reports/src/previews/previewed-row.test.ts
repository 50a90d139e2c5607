import type { Cell } from '@lintel/documents';
import { ExactNumber } from '@lintel/query';
import { previewedRow } from './previewed-row.ts';

const text = (length: number): Cell => ({ kind: 'text', text: 'x'.repeat(length) });

// Asserts contract/reports.md#preview.
test('values are short, and numbers exact', () => {
  const row = previewedRow(
    new Map<string, Cell>([
      ['text', text(501)],
      ['number', { kind: 'number', number: 'decimal', text: '12345678901234567890.10' } as Cell],
      ['order', { kind: 'instance', name: 'A-1', value: { id: 1, secret: 'x' } }],
      ['list', { kind: 'list', cells: Array.from({ length: 30 }, () => text(1)) }],
      ['none', { kind: 'empty' }],
    ]),
  );
  expect(row).toEqual({
    text: `${'x'.repeat(500)}…`,
    number: new ExactNumber('12345678901234567890.10'),
    order: 'A-1',
    list: Array.from({ length: 20 }, () => 'x'),
    none: null,
  });
  expect(JSON.stringify(row)).toContain('"number":12345678901234567890.10');
});
