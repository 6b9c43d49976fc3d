/** The category colours of the design; amber has dark text. They are the same in both themes. */
const colors = [
  'bg-[#2562E0] text-[#fff]',
  'bg-[#0A7D7A] text-[#fff]',
  'bg-[#7038E0] text-[#fff]',
  'bg-[#F2A60C] text-[#2A1A00]',
  'bg-[#B8400F] text-[#fff]',
  'bg-[#5F6B64] text-[#fff]',
];

export function shareColors(index: number): string {
  return colors[index % colors.length] ?? '';
}
