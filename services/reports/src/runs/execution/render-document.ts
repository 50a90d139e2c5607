import { contentTypeOf, type DocumentPiece, renderReport } from '@lintel/documents';
import { displayIn } from '@lintel/metadata';
import { bandContextOf } from '../preparation/band-context-of.ts';
import type { PreparedRun } from '../preparation/prepare-run.ts';
import type { RunInput, RunPorts } from '../preparation/run-input.ts';
import { toRunError } from '../run-error.ts';

/** A document that is being rendered. */
export interface ReportDocument {
  readonly fileName: string;
  readonly contentType: string;
  readonly asAttachment: boolean;
  /** Whether more than the frame has been rendered: rows were read after the first piece. */
  readonly isBegun: () => boolean;
  /** Bytes, or UTF-8 text, piece by piece; fails with a `PlatformError`. */
  readonly content: AsyncGenerator<DocumentPiece>;
}

/** Reads the bands of a prepared run and renders the document; a streamed document is rendered while it is read. */
export async function renderDocument(prepared: PreparedRun, input: RunInput, ports: RunPorts): Promise<ReportDocument> {
  const { template, asAttachment, withBom, pictures } = prepared;
  const { report, locale } = input;
  const bands = bandContextOf(prepared, input, ports, { max: ports.maxRows, name: 'svc.reports.max-rows' });
  let rows = 0;
  let rowsAtFirst = Number.POSITIVE_INFINITY;
  const countRow = (): void => {
    rows += 1;
    bands.countRow?.();
  };
  const onFirst = (): void => {
    rowsAtFirst = rows;
  };
  try {
    const { fileName, content } = await renderReport(
      report.definition,
      template,
      { ...bands, countRow },
      {
        locale: displayIn(ports.currentMessages(), locale),
        limits: ports.limits,
        converters: ports.converters,
        pictures,
        warn: (message) => ports.logger.warn({ report: report.definition.id }, message),
      },
    );
    const contentType = contentTypeOf(template.definition.outputType);
    return {
      fileName,
      contentType,
      asAttachment,
      isBegun: () => rows > rowsAtFirst,
      content: withRunErrors(withBom ? beginWithBom(content) : content, input, onFirst),
    };
  } catch (error) {
    throw toRunError(error, report.definition);
  }
}

/** Adds a byte order mark to the first piece, so that an error before it still has its status. */
async function* beginWithBom(content: AsyncIterable<DocumentPiece>): AsyncGenerator<DocumentPiece> {
  let before = '\uFEFF';
  for await (const piece of content) {
    yield typeof piece === 'string' ? before + piece : Buffer.concat([Buffer.from(before), piece]);
    before = '';
  }
}

async function* withRunErrors(
  content: AsyncIterable<DocumentPiece>,
  { report }: RunInput,
  onFirst: () => void,
): AsyncGenerator<DocumentPiece> {
  let isFirst = true;
  try {
    for await (const piece of content) {
      if (isFirst) onFirst();
      isFirst = false;
      yield piece;
    }
  } catch (error) {
    throw toRunError(error, report.definition);
  }
}
