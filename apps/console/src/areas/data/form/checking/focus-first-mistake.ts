/** What shows a mistake: an input, or the button of a line whose form has one. */
const MISTAKE = '[aria-invalid="true"], [data-mistakes]';

/** Moves the focus to the first mistake, in the open drawer before the page, when the page shows the messages. */
export function focusFirstMistake(): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const dialogs = [...document.querySelectorAll('[role="dialog"]')].reverse();
      const found = [...dialogs, document]
        .map((each) => each.querySelector<HTMLElement>(MISTAKE))
        .find((each) => each !== null);
      found?.focus();
    }),
  );
}
