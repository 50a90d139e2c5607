import type { Rule } from '../rule.ts';
import * as codeForms from './code-forms.ts';
import { architectureNamesFolders } from './documents/architecture-names-folders.ts';
import { bannedWords } from './documents/banned-words.ts';
import { citationsResolve } from './documents/citations-resolve.ts';
import { contractRulesHaveTests } from './documents/contract-rules-have-tests.ts';
import { decisionPages } from './documents/decision-pages.ts';
import { commitSubjects, prose } from './documents/prose.ts';
import { vocabularyNamesFiles } from './documents/vocabulary-names-files.ts';
import * as importLayers from './layers/import-layers.ts';
import { operationsWithoutExpress } from './layers/operations-without-express.ts';
import { pureCore } from './layers/pure-core.ts';
import { stageOrder } from './layers/stage-order.ts';
import { oneImporterPerDriver } from './owners/one-importer-per-driver.ts';
import { queryTextsListed } from './owners/query-texts-listed.ts';
import { rowSourcesRestricted } from './owners/row-sources-restricted.ts';
import { trustedInOneModule } from './owners/trusted-in-one-module.ts';
import * as buildablePackages from './packages/buildable-packages.ts';
import { noFolderCycle } from './packages/no-folder-cycle.ts';

/** All rules: first who imports whom, then what keeps packages buildable, then what documents say of the code, then words. */
export const RULES: readonly Rule[] = [
  ...Object.values(importLayers),
  pureCore,
  operationsWithoutExpress,
  stageOrder,
  rowSourcesRestricted,
  trustedInOneModule,
  queryTextsListed,
  oneImporterPerDriver,
  ...Object.values(buildablePackages),
  noFolderCycle,
  ...Object.values(codeForms),
  citationsResolve,
  contractRulesHaveTests,
  architectureNamesFolders,
  vocabularyNamesFiles,
  decisionPages,
  bannedWords,
  prose,
  commitSubjects,
];
