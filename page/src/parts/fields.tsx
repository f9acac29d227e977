import { spanText } from "./text.ts";

/** Field of a form, whose value is text. */
interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Choice among options, each a value and its text. */
export function Select({
  label,
  value,
  options,
  onChange,
}: FieldProps & { options: readonly (readonly [string, string])[] }) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Choice of a time span. @param props.spans Spans that are offered, in seconds, in addition to the value. */
export function SpanSelect({
  label,
  value,
  spans,
  onChange,
}: {
  label: string;
  value: number;
  spans: readonly number[];
  onChange: (value: number) => void;
}) {
  return (
    <Select
      label={label}
      value={String(value)}
      options={[...new Set([...spans, value])].map((seconds) => [String(seconds), spanText(seconds)])}
      onChange={(seconds) => onChange(Number(seconds))}
    />
  );
}

/** Box to tick. */
export function Check({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Input of an amount. */
export function AmountInput({ label, value, onChange }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** Input of an address. */
export function AddressInput({ label, value, onChange }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        class="mono"
        placeholder="0x…"
        autoComplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
