import type { Rule } from '../rule.ts';
import { architectureNamesFolders } from './documents/architecture-names-folders.ts';
import { bannedWords } from './documents/banned-words.ts';
import { citationsResolve } from './documents/citations-resolve.ts';
import { contractRulesHaveTests } from './documents/contract-rules-have-tests.ts';
import { decisionPages } from './documents/decision-pages.ts';
import { commitSubjects, prose } from './documents/prose.ts';
import { vocabularyNamesFiles } from './documents/vocabulary-names-files.ts';
import { errorsHaveOwners } from './errors-have-owners.ts';
import { examplesUsePublicApi } from './layers/examples-use-public-api.ts';
import { libsBelowServices } from './layers/libs-below-services.ts';
import { operationsWithoutExpress } from './layers/operations-without-express.ts';
import { packageExports } from './layers/package-exports.ts';
import { metadataWithoutTypeorm, queryWithoutSecurity, transportsWithoutEntities } from './layers/pairs-apart.ts';
import { pureCore } from './layers/pure-core.ts';
import { servicesApart } from './layers/services-apart.ts';
import { stageOrder } from './layers/stage-order.ts';
import { testkitOnlyInTests } from './layers/testkit-only-in-tests.ts';
import { environmentInConfig } from './owners/environment-in-config.ts';
import { oneImporterPerDriver } from './owners/one-importer-per-driver.ts';
import { queryTextsListed } from './owners/query-texts-listed.ts';
import { responsesAreCut } from './owners/responses-are-cut.ts';
import { rowSourcesRestricted } from './owners/row-sources-restricted.ts';
import { trustedInOneModule } from './owners/trusted-in-one-module.ts';
import { bootstrapNeedsNothing } from './packages/bootstrap-needs-nothing.ts';
import { declaredDependencies } from './packages/declared-dependencies.ts';
import { importsAreKept } from './packages/imports-are-kept.ts';
import { noFolderCycle } from './packages/no-folder-cycle.ts';
import { noPackageCycle } from './packages/no-package-cycle.ts';
import { projectReferences } from './packages/project-references.ts';
import { positionalParameters } from './positional-parameters.ts';
import { readableSource } from './readable-source.ts';

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
  queryTextsListed,
  oneImporterPerDriver,
  responsesAreCut,
  environmentInConfig,
  bootstrapNeedsNothing,
  declaredDependencies,
  importsAreKept,
  projectReferences,
  noPackageCycle,
  noFolderCycle,
  errorsHaveOwners,
  positionalParameters,
  readableSource,
  citationsResolve,
  contractRulesHaveTests,
  architectureNamesFolders,
  vocabularyNamesFiles,
  decisionPages,
  bannedWords,
  prose,
  commitSubjects,
];
