"""The animals that every peer shows: made from their number alone, so every run has the same."""
import csv

ADJECTIVES = "Amber Bold Calm Dusky Eager Fierce Gentle Happy Icy Jolly Keen Lone Misty Noble Olive Proud".split()
ANIMALS = "Aardvark Badger Caracal Dugong Egret Falcon Gecko Heron Ibex Jackal Kiwi Lemur Marmot Newt Otter Puffin".split()
DIETS = ["herbivorous", "carnivorous", "omnivorous"]
CATEGORIES = 100


def animal(number):
    """Name, diet and category; the name ends in a code that occurs once, so that a page's rows can be counted."""
    mixed = (number * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    name = f"{ADJECTIVES[mixed >> 60]} {ANIMALS[(mixed >> 56) & 15]} x{number:07d}"
    category = "" if mixed % 20 == 0 else f"Category {(mixed >> 20) % CATEGORIES:03d}"
    return name, DIETS[(mixed >> 40) % 3], category


def write_csv(path, rows, first=0):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "diet", "category"])
        writer.writerows(animal(number) for number in range(first, first + rows))
