let isOn = false;

/** Whether the SDK runs in this process; if not, a span costs only this check. */
export const isTracing = (): boolean => isOn;

/** Called by the code that starts the SDK. */
export const setTracing = (on: boolean): void => {
  isOn = on;
};
