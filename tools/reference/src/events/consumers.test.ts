import { EVENTS, type EventDefinition, ownerOf } from '@lintel/contracts';
import { readSources } from '../../test/caches/read-sources.ts';
import { cacheDeclarations } from '../caches/declarations.ts';

const root = new URL('../../../../', import.meta.url);
const sources = readSources(root, ['services']);
const events: readonly (readonly [string, EventDefinition])[] = Object.entries(EVENTS);

/** Services whose code names the event. */
const namedBy = (type: string): readonly string[] => [
  ...new Set(sources.filter(({ text }) => text.includes(`'${type}'`)).map(({ path }) => path.split('/')[1] ?? '')),
];

test.each(events)('whoever names %s owns it, handles it, or has a cache that it ends', (type, { handledBy }) => {
  const known = new Set([
    ownerOf(type),
    ...Object.keys(handledBy),
    ...cacheDeclarations()
      .filter(({ invalidatedBy }) => (invalidatedBy as readonly string[]).includes(type))
      .flatMap(({ where }) => where),
  ]);
  expect(namedBy(type).filter((service) => !known.has(service))).toEqual([]);
  for (const service of Object.keys(handledBy)) expect(namedBy(type)).toContain(service);
});

test.each(events)('%s makes somebody do something', (type, { handledBy, isForOperators, isForCaches }) => {
  if (isForOperators === true || isForCaches === true) return;
  const caches = cacheDeclarations().filter(({ invalidatedBy }) => (invalidatedBy as readonly string[]).includes(type));
  expect(Object.keys(handledBy).length + caches.length).toBeGreaterThan(0);
});
