const SAMPLE_RATE = 44_100;
const HEADER_BYTES = 44;

/** A soft, decaying note as a WAV file (16 bit, mono): a real download that is free of rights. */
export function synthesiseNote(hertz: number, seconds: number): Uint8Array {
  const count = SAMPLE_RATE * seconds;
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + count * 2));
  writeHeader(file, count * 2);
  for (let at = 0; at < count; at += 1) {
    const time = at / SAMPLE_RATE;
    const attack = Math.min(1, time / 0.01);
    const sound = [1, 0.35, 0.12].reduce(
      (sum, loudness, overtone) =>
        sum +
        loudness * Math.exp(-time * (2 + overtone)) * Math.sin(2 * Math.PI * hertz * (overtone + 1) * time),
      0,
    );
    file.setInt16(HEADER_BYTES + at * 2, Math.round(sound * attack * 16_000), true);
  }
  return new Uint8Array(file.buffer);
}

function writeHeader(file: DataView, dataBytes: number): void {
  const writeText = (at: number, text: string) => {
    for (const [offset, character] of [...text].entries())
      file.setUint8(at + offset, character.charCodeAt(0));
  };
  writeText(0, 'RIFF');
  file.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  writeText(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, SAMPLE_RATE, true);
  file.setUint32(28, SAMPLE_RATE * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  writeText(36, 'data');
  file.setUint32(40, dataBytes, true);
}
