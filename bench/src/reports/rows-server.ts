import { createServer, type Server } from 'node:http';
import { listening } from './listening.ts';

/** Rows handed to the socket at once. */
const BATCH_ROWS = 200;

/** Creates a server that stands in for the data service and sends rows of ten attributes as it would. */
export const createRowsServer = (rows: number): Server =>
  createServer(async (request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/x-ndjson');
    for (let from = 0; from < rows; from += BATCH_ROWS) {
      let batch = '';
      for (let index = from; index < Math.min(rows, from + BATCH_ROWS); index += 1) batch += rowText(index);
      if (!response.write(batch)) await new Promise((resolve) => response.once('drain', resolve));
      if (response.destroyed) return;
    }
    response.end(`{"$end":${rows}}\n`);
  });

const rowText = (index: number): string =>
  `{"_entityName":"bench_Row","id":"${index}","name":"Product ${index}","sku":"SKU-${index}","number":${index},` +
  `"price":${(index % 1000) + 0.99},"sum":${index}.50,"day":"2026-${1 + (index % 9)}1-12","moment":"2026-11-21T12:30:${10 + (index % 50)}.000",`.replace(
    /-(\d)1-/,
    '-0$1-',
  ) +
  `"isPaid":${index % 2 === 0},"city":"City ${index % 300}","notes":"Some text that says more about row ${index}"}\n`;

if (import.meta.main) listening(createRowsServer(Number(process.env['LINTEL_BENCH_ROWS'])));
