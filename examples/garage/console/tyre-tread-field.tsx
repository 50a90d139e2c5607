import type { ConsoleHost, ExtensionFieldProps } from '@lintel/react/console';

const WHEELS = ['Front left', 'Front right', 'Rear left', 'Rear right'];

interface Measurements {
  readonly tyreTread?: readonly number[];
}

/** The measurements of a job: a field for the tread of each tyre. Other measurements stay as they are. */
export const createTyreTreadField = ({ React, components }: ConsoleHost) =>
  function TyreTreadField({ label, value, error, isReadOnly, onChange }: ExtensionFieldProps) {
    const stored = (value ?? {}) as Measurements;
    const [texts, setTexts] = React.useState(() => WHEELS.map((_, index) => String(stored.tyreTread?.[index] ?? '')));
    const change = (changed: number, text: string): void => {
      const next = texts.map((each, index) => (index === changed ? text : each));
      setTexts(next);
      const depths = next.map((each) => Number(each));
      const isComplete = next.every((each, index) => each.trim() !== '' && !Number.isNaN(depths[index]));
      if (isComplete) onChange({ ...stored, tyreTread: depths });
    };
    return (
      <fieldset>
        <legend>{label}: mm</legend>
        {WHEELS.map((wheel, index) => (
          <components.TextField
            key={wheel}
            label={wheel}
            value={texts[index] ?? ''}
            isReadOnly={isReadOnly}
            onChange={(text) => change(index, text)}
          />
        ))}
        {error !== undefined && <p role="alert">{error}</p>}
      </fieldset>
    );
  };
