import { contextOf, pathParameter, respondTagged, type TaggedText, tagged } from '@lintel/http';
import { DATATYPES, type Datatype } from '@lintel/metadata';
import type { Request, Router } from 'express';
import { receiveFlag } from '../access/receive-flag.ts';
import type { FeatureFactory } from '../feature.ts';
import type { MetadataSource } from './create-metadata-source.ts';
import { createMetadataSource } from './create-metadata-source.ts';
import type { MetadataTexts } from './create-metadata-texts.ts';

/** The metadata of the model. */
export const metadataFeature: FeatureFactory = ({ config, modelSource, read, defaultLocale }) => {
  const { metadata, cache } = createMetadataSource(modelSource.current, read.currentMessages);
  return {
    register: ({ rest }) => registerRoutes(rest, { path: config.paths.metadataPath, metadata, defaultLocale }),
    caches: [cache],
  };
};

export interface MetadataRouteOptions {
  /** Prefix below the router, e.g. `/metadata`. */
  readonly path: string;
  readonly metadata: MetadataSource;
  /** Locale of callers without a locale. */
  readonly defaultLocale: string;
}

/**
 * `GET /metadata/…` (contract/metadata.md#metadata, #entities, #details, #fetch-plans, #enums); `views` are plans of older
 * clients.
 */
function registerRoutes(router: Router, { path, metadata, defaultLocale }: MetadataRouteOptions): void {
  const serve = (route: string, find: (texts: MetadataTexts, request: Request) => TaggedText): void => {
    router.get(`${path}${route}`, async (request, response) => {
      const { principal } = contextOf(request, response);
      respondTagged(request, response, find(await metadata(principal.locale ?? defaultLocale), request));
    });
  };
  serve('/entities', (texts, request) => texts.entities(receiveFlag(request, 'details')));
  serve('/entities/:entityName', (texts, request) =>
    texts.entity(pathParameter(request, 'entityName'), receiveFlag(request, 'details')),
  );
  for (const plans of ['fetchPlans', 'views']) {
    serve(`/entities/:entityName/${plans}`, (texts, request) => texts.fetchPlans(pathParameter(request, 'entityName')));
    serve(`/entities/:entityName/${plans}/:planName`, (texts, request) =>
      texts.fetchPlan(pathParameter(request, 'entityName'), pathParameter(request, 'planName')),
    );
  }
  serve('/enums', (texts) => texts.enums());
  serve('/enums/:enumName', (texts, request) => texts.enumeration(pathParameter(request, 'enumName')));
  const datatypes = tagged(describeDatatypes());
  router.get(`${path}/datatypes`, (request, response) => respondTagged(request, response, datatypes));
}

/** A datatype in the metadata API; the further members are texts (contract/metadata.md#datatypes). */
type DatatypeInfo = { readonly id: string; readonly name: string } & Readonly<Record<string, string>>;

const numbers = (format: string, decimalSeparator: string): Readonly<Record<string, string>> => ({
  format,
  decimalSeparator,
  groupingSeparator: '',
});
const WHOLE = numbers('0', '');
const FLOATING = numbers('0.###', '.');

const FURTHER: Readonly<Partial<Record<Datatype, Readonly<Record<string, string>>>>> = {
  bigInteger: WHOLE,
  date: { format: 'yyyy-MM-dd' },
  dateTime: { format: "yyyy-MM-dd'T'HH:mm:ss.SSS" },
  decimal: numbers('0.####', '.'),
  double: FLOATING,
  float: FLOATING,
  int: WHOLE,
  long: WHOLE,
  short: WHOLE,
  time: { format: 'HH:mm:ss' },
};

/** All datatypes of the platform. */
const describeDatatypes = (): readonly DatatypeInfo[] => DATATYPES.map((id) => ({ id, name: id, ...FURTHER[id] }));
