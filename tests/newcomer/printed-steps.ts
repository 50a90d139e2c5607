/** A block of commands on a page, and the output that the page shows below it. */
export interface PrintedStep {
  /** `run`: to its end. `start`: it goes on, in a terminal of its own; what an earlier one started is stopped before. */
  readonly kind: 'run' | 'start';
  readonly commands: string;
  readonly shown: string | undefined;
}

const STEP = /<!-- newcomer: (run|start) -->\n *```sh\n([\s\S]*?)```(?:\s*```(?:json|text)\n([\s\S]*?)```)?/g;

/** The steps that a page names with `<!-- newcomer: run -->` or `<!-- newcomer: start -->`, in their order. */
export const printedSteps = (page: string): readonly PrintedStep[] =>
  [...page.matchAll(STEP)].map(([, kind, commands = '', shown]) => ({
    kind: kind === 'start' ? 'start' : 'run',
    commands,
    shown,
  }));
