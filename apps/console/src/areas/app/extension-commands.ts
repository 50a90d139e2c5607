import { extensionQuery } from '../../extension/extension-query.ts';
import { localText } from '../../extension/local-text.ts';
import { shownPages } from '../../extension/shown-pages.ts';
import type { Command, CommandContext } from '../../shell/area.ts';

/** The pages of the extension as commands. */
export async function extensionCommands({ model, queries, locale }: CommandContext): Promise<readonly Command[]> {
  const { settings, rights } = model;
  if (settings.extension === undefined) return [];
  const parts = await queries.fetchQuery(extensionQuery(settings.extension));
  return shownPages(parts, rights).map(({ path, title }) => ({
    id: `app:${path}`,
    label: localText(title, locale),
    to: `app/${path}`,
  }));
}
