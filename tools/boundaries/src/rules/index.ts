import type { Rule } from '../rule.ts';
import { bootstrapNeedsNothing } from './bootstrap-needs-nothing.ts';
import { declaredDependencies } from './declared-dependencies.ts';
import { environmentInConfig } from './environment-in-config.ts';
import { examplesUsePublicApi } from './examples-use-public-api.ts';
import { libsBelowServices } from './libs-below-services.ts';
import { noPackageCycle } from './no-package-cycle.ts';
import { oneImporterPerDriver } from './one-importer-per-driver.ts';
import { operationsWithoutExpress } from './operations-without-express.ts';
import { packageExports } from './package-exports.ts';
import { metadataWithoutTypeorm, queryWithoutSecurity, transportsWithoutEntities } from './pairs-apart.ts';
import { projectReferences } from './project-references.ts';
import { pureCore } from './pure-core.ts';
import { queryStageOrder } from './query-stage-order.ts';
import { readableSource } from './readable-source.ts';
import { servicesApart } from './services-apart.ts';
import { testkitOnlyInTests } from './testkit-only-in-tests.ts';

/** All rules: first those of the table in architecture.md, by its numbers, then what keeps them true. */
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
  queryStageOrder,
  oneImporterPerDriver,
  environmentInConfig,
  bootstrapNeedsNothing,
  declaredDependencies,
  projectReferences,
  noPackageCycle,
  readableSource,
];
