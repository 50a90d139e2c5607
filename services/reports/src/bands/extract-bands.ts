import type { ReportBand, ReportRow } from '@lintel/application';
import { ROOT_BAND } from '../definitions/check-definition.ts';
import { type Fields, plainOf } from './cell.ts';
import { type BandContext, type BandRow, readBand } from './read-band.ts';

/** A row of a band with the rows of its child bands, by band name. */
export interface BandInstance extends BandRow {
  readonly name: string;
  readonly bands: ReadonlyMap<string, readonly BandInstance[]>;
}

/** Throws when the report grows beyond what its output can hold. */
export type RowLimit = (rows: number) => void;

/** Reads all bands of a report into one tree, in the order of their definition. */
export async function extractBands(
  bands: readonly ReportBand[],
  context: BandContext,
  assertRows: RowLimit,
): Promise<BandInstance> {
  let rows = 0;
  const root: BandRow = { fields: context.parameterFields, isPlaceholder: false };
  return { ...root, name: ROOT_BAND, bands: await children(bands, root, fieldsOf(ROOT_BAND, root.fields)) };

  async function children(
    definitions: readonly ReportBand[],
    parent: BandRow,
    ancestors: ReportRow,
  ): Promise<ReadonlyMap<string, readonly BandInstance[]>> {
    const found = new Map<string, readonly BandInstance[]>();
    for (const band of definitions) found.set(band.name, await instances(band, parent, ancestors));
    return found;
  }

  async function instances(band: ReportBand, parent: BandRow, ancestors: ReportRow): Promise<readonly BandInstance[]> {
    const found: BandInstance[] = [];
    for await (const row of parent.isPlaceholder ? placeholder() : readBand(band, context, ancestors)) {
      rows += 1;
      assertRows(rows);
      const below = { ...ancestors, ...fieldsOf(band.name, row.fields) };
      found.push({ ...row, name: band.name, bands: await children(band.bands ?? [], row, below) });
    }
    return found;
  }
}

/** Children of a row that does not exist are not queried; each is a placeholder too. */
async function* placeholder(): AsyncGenerator<BandRow> {
  yield { fields: new Map(), isPlaceholder: true };
}

/** The fields of a band as bands below see them: `<Band>.<field>`. */
export const fieldsOf = (band: string, fields: Fields): ReportRow =>
  Object.fromEntries([...fields].map(([name, cell]) => [`${band}.${name}`, plainOf(cell)]));
