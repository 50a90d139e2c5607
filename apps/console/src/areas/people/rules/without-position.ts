/** The message of a mistake without the position at its end, which is shown in the language of the page. */
export const withoutPosition = (message: string): string => message.replace(/ \(line \d+, column \d+\)$/, '');
