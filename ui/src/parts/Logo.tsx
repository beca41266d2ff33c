export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M10 8v16M22 8v16M10 16h12"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="3.6"
        strokeLinecap="round"
      />
      <circle cx="16" cy="16" r="3.4" fill="var(--accent)" stroke="var(--surface)" strokeWidth="2.6" />
    </svg>
  );
}
