import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One span, as a collector gets it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names of the metrics that came, by service. */
  readonly metrics: ReadonlyMap<string, ReadonlySet<string>>;
  /** All bodies. */
  readonly texts: readonly string[];
  close(): Promise<void>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface OtlpResource {
  readonly resource: { readonly attributes: readonly OtlpAttribute[] };
}
type OtlpSpan = Omit<ReceivedSpan, 'service' | 'attributes'> & { readonly attributes: readonly OtlpAttribute[] };
interface OtlpBody {
  readonly resourceSpans?: readonly (OtlpResource & {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  })[];
  readonly resourceMetrics?: readonly (OtlpResource & {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  })[];
}

const attributesOf = (attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const serviceOf = ({ resource }: OtlpResource): string => String(attributesOf(resource.attributes)['service.name']);

/** A collector of OTLP in JSON that remembers what it gets. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, Set<string>>();
  const texts: string[] = [];
  const take = ({ resourceSpans = [], resourceMetrics = [] }: OtlpBody): void => {
    for (const each of resourceSpans)
      for (const span of each.scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, service: serviceOf(each), attributes: attributesOf(span.attributes) });
    for (const each of resourceMetrics) {
      const names = metrics.get(serviceOf(each)) ?? new Set();
      for (const { name } of each.scopeMetrics.flatMap((scope) => scope.metrics)) names.add(name);
      metrics.set(serviceOf(each), names);
    }
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    texts.push(text);
    take(JSON.parse(text) as OtlpBody);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    texts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
