/** Colours of CIE Lab under the light D50, as TIFF has them, in sRGB (IEC 61966-2-1). */

/** The white of D50 (ICC.1, 7.2.16). */
const WHITE = [0.9642, 1, 0.8249] as const;
/** From D50 to linear sRGB, adapted by Bradford. */
const TO_LINEAR = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;
/** The point where the curve of Lab ends and its straight line begins. */
const KNEE = 6 / 29;

const fromCurve = (value: number): number => (value > KNEE ? value ** 3 : 3 * KNEE ** 2 * (value - 4 / 29));

const gamma = (linear: number): number => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055);

/** Returns red, green and blue from 0 to 255. Lightness is from 0 to 100. */
export function labToRgb(lightness: number, a: number, b: number): readonly [red: number, green: number, blue: number] {
  const middle = (lightness + 16) / 116;
  const [x, y, z] = [
    fromCurve(middle + a / 500) * WHITE[0],
    fromCurve(middle) * WHITE[1],
    fromCurve(middle - b / 200) * WHITE[2],
  ];
  const part = (row: 0 | 1 | 2) => {
    const linear = TO_LINEAR[row][0] * x + TO_LINEAR[row][1] * y + TO_LINEAR[row][2] * z;
    return Math.round(Math.min(1, Math.max(0, gamma(linear))) * 255);
  };
  return [part(0), part(1), part(2)];
}
