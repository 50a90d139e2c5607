import type { Rule } from '../rule.ts';
import { architectureNamesFolders } from './architecture-names-folders.ts';
import { bannedWords } from './banned-words.ts';
import { bootstrapNeedsNothing } from './bootstrap-needs-nothing.ts';
import { citationsResolve } from './citations-resolve.ts';
import { decisionPages } from './decision-pages.ts';
import { declaredDependencies } from './declared-dependencies.ts';
import { environmentInConfig } from './environment-in-config.ts';
import { errorsHaveOwners } from './errors-have-owners.ts';
import { examplesUsePublicApi } from './examples-use-public-api.ts';
import { libsBelowServices } from './libs-below-services.ts';
import { noFolderCycle } from './no-folder-cycle.ts';
import { noPackageCycle } from './no-package-cycle.ts';
import { oneImporterPerDriver } from './one-importer-per-driver.ts';
import { operationsWithoutExpress } from './operations-without-express.ts';
import { packageExports } from './package-exports.ts';
import { metadataWithoutTypeorm, queryWithoutSecurity, transportsWithoutEntities } from './pairs-apart.ts';
import { projectReferences } from './project-references.ts';
import { pureCore } from './pure-core.ts';
import { readableSource } from './readable-source.ts';
import { rowSourcesRestricted } from './row-sources-restricted.ts';
import { servicesApart } from './services-apart.ts';
import { stageOrder } from './stage-order.ts';
import { testkitOnlyInTests } from './testkit-only-in-tests.ts';
import { trustedInOneModule } from './trusted-in-one-module.ts';
import { vocabularyNamesFiles } from './vocabulary-names-files.ts';

/** All rules: first who imports whom, then what keeps packages buildable, then what documents say of the code, then words. */
export const RULES: readonly Rule[] = [
  servicesApart,
  libsBelowServices,
  pureCore,
  queryWithoutSecurity,
  metadataWithoutTypeorm,
  transportsWithoutEntities,
  operationsWithoutExpress,
  testkitOnlyInTests,
  packageExports,
  examplesUsePublicApi,
  stageOrder,
  rowSourcesRestricted,
  trustedInOneModule,
  oneImporterPerDriver,
  environmentInConfig,
  bootstrapNeedsNothing,
  declaredDependencies,
  projectReferences,
  noPackageCycle,
  noFolderCycle,
  errorsHaveOwners,
  readableSource,
  citationsResolve,
  architectureNamesFolders,
  vocabularyNamesFiles,
  decisionPages,
  bannedWords,
];
