import { cachesPage } from './caches/caches-page.ts';
import { cacheDeclarations } from './caches/declarations.ts';
import { eventsPage } from './events/events-page.ts';
import { EVENTS_FOLDER, type StoredEvent, storedEvents } from './events/stored-events.ts';
import { openApiFiles } from './openapi-files.ts';
import { commandLinePage } from './pages/command-line-page.ts';
import { configPage } from './pages/config-page.ts';
import { metricsPage } from './pages/metrics-page.ts';
import { allKnownKeys, settingRows } from './pages/setting-rows.ts';

/**
 * Texts of the generated files, by path from the root of the repository.
 *
 * @param published what is stored of the events, by type
 * @throws Error where a published version of an event has become another one
 */
export const generatedFiles = async (
  published: Readonly<Record<string, StoredEvent>>,
): Promise<Readonly<Record<string, string>>> => ({
  ...Object.fromEntries(
    Object.entries(await openApiFiles('3.1')).map(([name, text]) => [`docs/reference/openapi/${name}`, text]),
  ),
  'docs/reference/caches.md': cachesPage(cacheDeclarations()),
  'docs/reference/commands.md': commandLinePage(),
  'docs/reference/config.md': configPage(settingRows()),
  'docs/reference/events.md': eventsPage(storedEvents(published), cacheDeclarations()),
  'docs/reference/metrics.md': metricsPage(),
  'libs/config/src/known-keys.json': jsonFile(allKnownKeys()),
  ...Object.fromEntries(
    storedEvents(published).map((event) => [`${EVENTS_FOLDER}${event.type}.json`, jsonFile(event)]),
  ),
});

const jsonFile = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
