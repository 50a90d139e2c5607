import { pastedTable } from './pasted-table.ts';

const file = new File(['a,b'], 'table.csv', { type: 'text/csv' });
const picture = new File(['…'], 'image.png', { type: 'image/png' });
const clipboard = (files: readonly File[], text: string) =>
  ({ files, getData: () => text }) as unknown as Pick<DataTransfer, 'files' | 'getData'>;

test.each([
  ['cells', clipboard([], 'a\tb'), 'pasted.tsv'],
  ['cells beside their picture', clipboard([picture], 'a\tb'), 'pasted.tsv'],
  ['a file', clipboard([file], ''), 'table.csv'],
  ['a file beside its name', clipboard([file], 'table.csv'), 'table.csv'],
  ['nothing', clipboard([], ''), undefined],
  ['no clipboard', null, undefined],
])('the pasted table of %s', (_, data, name) => {
  expect(pastedTable(data)?.name).toBe(name);
});
