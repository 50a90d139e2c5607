/** What is wrong with a definition or with a template. */
export interface ReportProblem {
  /** Errors are refused by a run, or make a document that is wrong with any data. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Code of the template. */
  readonly template?: string;
  /** A cell `Sheet!B2`, a paragraph, or a line. */
  readonly location?: string;
}

/** Collects the problems of a template, and the names of its aliases. */
export class TemplateFindings {
  readonly problems: Omit<ReportProblem, 'template'>[] = [];
  readonly names = new Set<string>();

  error(message: string, location?: string): void {
    this.#add({ severity: 'error', message }, location);
  }

  warn(message: string, location?: string): void {
    this.#add({ severity: 'warning', message }, location);
  }

  #add(problem: ReportProblem, location: string | undefined): void {
    this.problems.push(location === undefined ? problem : { ...problem, location });
  }
}
