import type { HttpRequest } from '../client/send-request.ts';
import { GeneReader, type Genes } from './genes.ts';

const MAX_BYTES = 1_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/rest/entities/sales_Customer/search'],
  ['POST', '/rest/entities/sales_Customer'],
  ['PUT', '/rest/entities/sales_Customer'],
  ['DELETE', '/rest/entities/sales_Customer'],
  ['POST', '/rest/queries/sales_Order/ordersByCustomers'],
  ['POST', '/rest/services/sales_ReportingService/statistics'],
  ['POST', '/rest/services/sales_OrderService/calculateTotal'],
  ['POST', '/rest/reports/run/code/price-list'],
];
/** Members that a route reads. */
const MEMBERS = ['filter', 'conditions', 'fetchPlan', 'customerIds', 'params', 'parameters', 'id', 'name', '__proto__'];

/** JSON of any shape, within the limit of bodies: deep, wide, with long texts and numbers. */
export function decodeBody(genes: Genes): HttpRequest {
  const reader = new GeneReader(genes);
  const [method, path] = reader.oneOf(ROUTES);
  let bytes = 0;
  const grown = (text: string): string => {
    bytes += text.length;
    return text;
  };
  const repeated = (unit: string, separator: string): string => {
    const room = Math.max(1, Math.floor((MAX_BYTES - bytes) / 2 / (unit.length + separator.length)));
    return grown(Array.from({ length: 1 + reader.size(room) }, () => unit).join(separator));
  };
  const value = (depth: number): string => {
    const kind = bytes > MAX_BYTES / 2 || depth > 8 ? 0 : reader.below(9);
    switch (kind) {
      case 1:
        return `"${repeated(reader.oneOf(['x', '\\u0000', '\\ud800', 'ß', '\\"']), '')}"`;
      case 2:
        return `${reader.oneOf(['', '-'])}1${repeated('0', '')}`;
      case 3:
        return `1e${reader.below(65_535)}`;
      case 4:
        return `[${repeated(reader.oneOf(['{}', '1', '""', '[]', 'null', '{"id":1}', '"a"']), ',')}]`;
      case 5: {
        const depthOf = reader.size(Math.min(100_000, (MAX_BYTES - bytes) / 20));
        return grown('['.repeat(depthOf)) + value(depth + 1) + ']'.repeat(depthOf);
      }
      case 6: {
        const count = reader.size(Math.min(50_000, (MAX_BYTES - bytes) / 20));
        return grown(`{${Array.from({ length: count }, (_, at) => `"m${at}":0`).join()}}`);
      }
      case 7:
        return `[${Array.from({ length: 1 + reader.below(5) }, () => value(depth + 1)).join()}]`;
      case 8:
        return object(depth + 1);
      default:
        return reader.oneOf(['1', 'null', 'true', '"a"', '{}', '[]']);
    }
  };
  const object = (depth: number): string =>
    `{${Array.from({ length: 1 + reader.below(4) }, () => `"${reader.oneOf(MEMBERS)}":${value(depth)}`).join()}}`;
  const body = reader.below(3) === 0 ? value(1) : object(1);
  return { method, path, headers: JSON_TYPE, body };
}
