/** A problem that the person at the keyboard can solve: one sentence on what is wrong, one on what to do. */
export class Failure extends Error {
  /**
   * @param {string} problem
   * @param {string} remedy
   * @param {string} [details] output of a program, shown above the sentence
   */
  constructor(problem, remedy, details) {
    super(`${problem} ${remedy}`);
    this.name = 'Failure';
    this.details = details;
  }
}
