import type { Workspace } from './workspace/workspace.ts';

/** A statement, declaration or text that breaks a rule. */
export interface Finding {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** What is there, with the name that is imported or used. */
  readonly what: string;
}

/** One dependency rule of the repository. Rules are pure: the same workspace gives the same findings. */
export interface Rule {
  readonly id: RuleId;
  /** What must hold, as one sentence. */
  readonly statement: string;
  readonly because: string;
  readonly check: (workspace: Workspace) => Iterable<Finding>;
}

/** Names are stable: exceptions and the documentation refer to them. */
export type RuleId =
  | 'readable-source'
  | 'services-apart'
  | 'libs-below-services'
  | 'pure-core'
  | 'query-without-security'
  | 'metadata-without-typeorm'
  | 'transports-without-entities'
  | 'operations-without-express'
  | 'testkit-only-in-tests'
  | 'package-exports'
  | 'examples-use-public-api'
  | 'stage-order'
  | 'row-sources-restricted'
  | 'trusted-in-one-module'
  | 'query-texts-listed'
  | 'one-importer-per-driver'
  | 'responses-are-cut'
  | 'environment-in-config'
  | 'bootstrap-needs-nothing'
  | 'declared-dependencies'
  | 'imports-are-kept'
  | 'project-references'
  | 'no-package-cycle'
  | 'no-folder-cycle'
  | 'errors-have-owners'
  | 'positional-parameters'
  | 'citations-resolve'
  | 'contract-rules-have-tests'
  | 'architecture-names-folders'
  | 'vocabulary-names-files'
  | 'decision-pages'
  | 'banned-words'
  | 'prose'
  | 'commit-subjects';
