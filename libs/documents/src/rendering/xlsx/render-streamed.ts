import type { BandData } from '../../bands/band-data.ts';
import type { Fields } from '../../bands/cell.ts';
import { inPieces } from '../in-pieces.ts';
import { zipStream } from '../ooxml/zip/zip-stream.ts';
import type { ResultContext } from './parts/result-context.ts';
import { sheetHead, sheetTail } from './parts/sheet-frame.ts';
import { Layout } from './placing/layout.ts';
import type { Placement } from './placing/placement.ts';
import { BandPositioner } from './placing/position-bands.ts';
import { createContext, entriesOf, rowsXml, sheetXml, type XlsxOptions } from './render-xlsx.ts';
import type { BandRange, SheetTemplate, XlsxTemplate } from './template/xlsx-template.ts';
import { rowXml } from './writing/result-rows.ts';

/** A report of which one band is written while it is read. */
export interface StreamedBands {
  readonly template: XlsxTemplate;
  /** The root with the rows of all other bands. */
  readonly root: BandData;
  readonly range: BandRange;
  /** Names of first-level bands after the streamed one. */
  readonly after: ReadonlySet<string>;
  readonly rows: AsyncGenerator<{ readonly fields: Fields; readonly isPlaceholder: boolean }>;
}

/**
 * Renders the same workbook as `renderXlsx` without the rows of one band in memory. The first row is read before the
 * first byte is written, so that data that cannot be read are reported as an error.
 */
export async function* renderStreamed(bands: StreamedBands, options: XlsxOptions): AsyncGenerator<Uint8Array> {
  const { template, root, range, after, rows } = bands;
  const layout = new Layout(template, root);
  const positioner = new BandPositioner(layout, options.signal);
  const positionBands = (isWanted: (name: string) => boolean): void => {
    for (const [name, children] of root.children) if (isWanted(name)) positioner.positionRows(children);
  };
  positionBands((name) => !after.has(name));
  const context = await createContext(layout, options);
  const placements = placedRows(layout, range, rows, root);
  const first = await placements.next();
  const positionRemaining = (): void => positionBands((name) => after.has(name));
  const streamed = () =>
    streamedXml({ layout, context, sheet: range.sheet, first, placements, positionRemaining }, options);
  const other = (sheet: SheetTemplate) => () => sheetXml(sheet, layout, context, options.signal);
  try {
    yield* zipStream(
      entriesOf(template, context, (sheet) => (sheet === range.sheet ? streamed : other(sheet)), range.sheet),
    );
  } finally {
    await placements.return(undefined);
  }
}

/** Positions the rows of the streamed band, each below the previous one. */
async function* placedRows(
  layout: Layout,
  range: BandRange,
  rows: StreamedBands['rows'],
  root: BandData,
): AsyncGenerator<Placement> {
  for await (const { fields, isPlaceholder } of rows) {
    const data: BandData = {
      name: range.band,
      orientation: 'horizontal',
      level: 1,
      parent: root,
      data: fields,
      isPlaceholder,
      children: NONE,
    };
    const offset = { rows: layout.usedRows(range.sheet) + 1 - range.area.top, columns: 0 };
    const placement = { range, data, offset };
    layout.stream(placement);
    yield placement;
  }
}

const NONE: BandData['children'] = new Map();

interface StreamedSheet {
  readonly layout: Layout;
  readonly context: ResultContext;
  readonly sheet: SheetTemplate;
  readonly first: IteratorResult<Placement>;
  readonly placements: AsyncGenerator<Placement>;
  /** Positions the bands after the streamed one. */
  readonly positionRemaining: () => void;
}

async function* streamedXml(of: StreamedSheet, { signal }: XlsxOptions): AsyncGenerator<string> {
  const { layout, context, sheet, first, placements, positionRemaining } = of;
  const before = layout.streamed === undefined ? layout.usedRows(sheet) : rowOf(layout.streamed.first) - 1;
  yield await sheetHead(sheet, layout);
  yield* inPieces(rowsXml(sheet, 1, layout, context, signal, before));
  yield* inPieces(streamedRows(first, placements, context, signal));
  const next = layout.usedRows(sheet) + 1;
  positionRemaining();
  yield* inPieces(rowsXml(sheet, next, layout, context, signal));
  yield* inPieces(sheetTail(sheet, context, signal));
}

async function* streamedRows(
  first: IteratorResult<Placement>,
  placements: AsyncGenerator<Placement>,
  context: ResultContext,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (first.done === true) return;
  yield rowXml(rowOf(first.value), [first.value], context);
  for await (const placement of placements) {
    signal.throwIfAborted();
    yield rowXml(rowOf(placement), [placement], context);
  }
}

const rowOf = ({ range, offset }: Placement): number => range.area.top + offset.rows;
