import { configPage } from './config-page.ts';
import { knownKeysSource } from './known-keys-source.ts';
import { allKnownKeys, settingRows } from './setting-rows.ts';

/** Texts of the generated files, by path from the root of the repository. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  'docs/reference/config.md': configPage(settingRows()),
  'libs/config/src/known-keys.ts': knownKeysSource(allKnownKeys()),
});
