/** A report that cannot be rendered. Its caller receives the message; causes are only logged. */
export class ReportFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportFailure';
  }
}
