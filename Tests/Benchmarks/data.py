"""The animals that every peer shows: made from their number alone, so every run has the same."""
import csv

ADJECTIVES = "Amber Bold Calm Dusky Eager Fierce Gentle Happy Icy Jolly Keen Lone Misty Noble Olive Proud".split()
ANIMALS = "Aardvark Badger Caracal Dugong Egret Falcon Gecko Heron Ibex Jackal Kiwi Lemur Marmot Newt Otter Puffin".split()
DIETS = ["herbivorous", "carnivorous", "omnivorous"]
CATEGORIES = 100
# Of the 336,776 flights that left New York in 2013, by airline: sizes as they are, and not all alike.
AIRLINES = {"9E": 18460, "AA": 32729, "AS": 714, "B6": 54635, "DL": 48110, "EV": 54173, "F9": 685, "FL": 3260, "HA": 342, "MQ": 26397,
            "OO": 32, "UA": 58665, "US": 20536, "VX": 5162, "WN": 12275, "YV": 601}


def animal(number):
    """Name, diet and category; the name ends in a code that occurs once, so that a page's rows can be counted."""
    mixed = (number * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    name = f"{ADJECTIVES[mixed >> 60]} {ANIMALS[(mixed >> 56) & 15]} x{number:07d}"
    category = "" if mixed % 20 == 0 else f"Category {(mixed >> 20) % CATEGORIES:03d}"
    return name, DIETS[(mixed >> 40) % 3], category


def flight(number):
    """As an animal, in a category for its airline. The name begins with the airline's code and the diet goes by it: all records of a
    category are in one place of either order."""
    place = number * 7919 % sum(AIRLINES.values())
    for code, count in AIRLINES.items():
        if place < count:
            break
        place -= count
    return f"{code} {number * 31 % 10_000:04d} x{number:07d}", DIETS[0 if code < "M" else 1], code


def flight_counts(rows):
    """How many records each category has."""
    counts = dict.fromkeys(AIRLINES, 0)
    for number in range(rows):
        counts[flight(number)[2]] += 1
    return counts


def write_csv(path, rows, first=0, record=animal):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "diet", "category"])
        writer.writerows(record(number) for number in range(first, first + rows))


def write_flights(path, rows, first=0):
    write_csv(path, rows, first, flight)
