const decoder = new TextDecoder();

/** Reads the fields of a protocol buffer between two positions, without copying. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#end = to;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Calls back for each field; what the callback does not read is skipped. */
  eachField(read: (field: number, reader: this) => void): void {
    while (!this.isAtEnd()) {
      const tag = this.varint();
      const start = this.#at;
      read(Math.floor(tag / 8), this);
      if (this.#at === start) this.#skip(tag & 7);
    }
  }

  /** The position of a field of bytes: another message, packed numbers, or text. */
  range(): readonly [from: number, to: number] {
    const length = this.varint();
    const from = this.#at;
    if (from + length > this.#end) throw new TypeError('The tile is incomplete');
    this.#at = from + length;
    return [from, this.#at];
  }

  text(): string {
    const [from, to] = this.range();
    return decoder.decode(this.#bytes.subarray(from, to));
  }

  /** Seven bits per byte, the lowest first. */
  varint(): number {
    let value = 0;
    let factor = 1;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] as number;
      this.#at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new TypeError('The tile is incomplete');
  }

  float(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  #skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 1) this.#at += 8;
    else if (wire === 2) this.range();
    else if (wire === 5) this.#at += 4;
    else throw new TypeError('The tile has an unknown format');
  }
}
