"""A chain of audio effects: each is a callable object; the chain is saved to a WAV in memory."""
import io
import struct
import wave
from abc import ABC, abstractmethod
from functools import reduce

import numpy as np

RATE = 8000


class Effect(ABC):
    wet = 1.0

    def __call__(self, x):
        y = self.process(x)
        return self.wet * y + (1.0 - self.wet) * x

    @abstractmethod
    def process(self, x):
        ...


class Gain(Effect):
    def __init__(self, db):
        self.factor = 10 ** (db / 20)

    def process(self, x):
        return x * self.factor


class SoftClip(Effect):
    def __init__(self, drive):
        self.drive = drive

    def process(self, x):
        return np.tanh(self.drive * x) / np.tanh(self.drive)


class Tremolo(Effect):
    def __init__(self, rate, depth=0.5):
        self.rate, self.depth = rate, depth

    def process(self, x):
        t = np.arange(len(x)) / RATE
        return x * (1 - self.depth + self.depth * np.sin(2 * np.pi * self.rate * t))


class Echo(Effect):
    wet = 0.6

    def __init__(self, delay, feedback, taps=4):
        self.n = int(delay * RATE)
        self.feedback = feedback
        self.taps = taps

    def process(self, x):
        y = x.copy()
        for k in range(1, self.taps + 1):
            s = k * self.n
            if s >= len(x):
                break
            y[s:] += self.feedback**k * x[:-s]
        return y


class Equalizer(Effect):
    def __init__(self, bands):
        self.bands = bands

    def process(self, x):
        spectrum = np.fft.rfft(x)
        f = np.fft.rfftfreq(len(x), 1 / RATE)
        for lo, hi, db in self.bands:
            spectrum[(f >= lo) & (f < hi)] *= 10 ** (db / 20)
        return np.fft.irfft(spectrum, n=len(x))


class Compressor(Effect):
    def __init__(self, threshold, ratio, window=64):
        self.threshold, self.ratio, self.window = threshold, ratio, window

    def process(self, x):
        kernel = np.ones(self.window) / self.window
        level = np.sqrt(np.convolve(x**2, kernel, mode="same"))
        over = level > self.threshold
        gain = np.ones_like(x)
        gain[over] = (self.threshold + (level[over] - self.threshold) / self.ratio) / level[over]
        return x * gain


def to_wav(x):
    pcm = np.clip(np.round(x * 32767), -32768, 32767).astype(np.int16)
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(RATE)
        w.writeframes(pcm.tobytes())
    return buffer.getvalue()


def main():
    t = np.arange(RATE) / RATE
    dry = 0.4 * np.sin(2 * np.pi * 220 * t) + 0.2 * np.sin(2 * np.pi * 445 * t) * np.exp(-3 * t)
    chain = [Gain(3), SoftClip(2.0), Tremolo(4.0), Echo(0.15, 0.5), Equalizer([(0, 300, -3), (300, 1000, 2)]), Compressor(0.3, 4)]
    out = reduce(lambda x, effect: effect(x), chain, dry)
    out /= np.abs(out).max()
    data = to_wav(out)
    print(len(data), struct.unpack("<4h", data[44:52]))
    with wave.open(io.BytesIO(data)) as w:
        back = np.frombuffer(w.readframes(w.getnframes()), dtype="<i2") / 32767
    print(f"{np.abs(back - out).max() < 1e-4} rms {np.sqrt(np.mean(out**2)):.6f}")
    for effect in chain:
        print(type(effect).__name__, f"{effect(dry).std():.6f}")


if __name__ == "__main__":
    main()
