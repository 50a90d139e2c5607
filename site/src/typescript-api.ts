import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { CONTENT, ROOT } from './paths.ts';

/** Where the pages are, below the content. */
const FOLDER = 'reference/typescript';

/**
 * Writes the pages of the TypeScript API from the doc comments of what applications import: the exports of `tools/site/api/*.ts`.
 *
 * @throws Error with a list in the log, where a comment or a type cannot be read
 */
export async function writeTypeScriptApi(): Promise<void> {
  const out = join(CONTENT, FOLDER);
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: globSync('tools/site/api/*.ts', { cwd: ROOT }).map((file) => join(ROOT, file)),
    tsconfig: join(ROOT, 'tools/site/api/tsconfig.json'),
    name: 'TypeScript API',
    readme: 'none',
    out,
    logLevel: 'Warn',
    disableSources: true,
    disableGit: true,
    excludeInternal: true,
    excludePrivate: true,
    validation: { invalidLink: true, notExported: false, notDocumented: false },
    ...pageForm,
  } as Parameters<typeof Application.bootstrapWithPlugins>[0]);
  const project = await app.convert();
  if (project === undefined) throw new Error('The sources of the TypeScript API could not be read.');
  app.validate(project);
  await app.generateOutputs(project);
  for (const page of globSync('**/*.md', { cwd: out })) linkCitations(join(out, page));
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('The TypeScript API has errors or warnings, see above.');
}

/** Options of the Markdown plugin. */
const pageForm = {
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  tableColumnSettings: { hideSources: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
};

/** Doc comments cite rules of the contract as `contract/<page>.md#<anchor>`. */
const CITATION = /(?<![\w/(`])contract\/([a-z-]+)\.md#([\w-]+)/g;

function linkCitations(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(CITATION, (citation, page, anchor) => `[${citation}](/contract/${page}.md#${anchor})`),
  );
}
